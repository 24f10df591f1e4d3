# shellcheck shell=bash
# MariaDB's administrator: root, whom it authenticates by the socket. Statements on standard input; in binary mode the client changes
# no byte of them, and obeys no command but DELIMITER. The administrator defines databases and accounts and reads MariaDB's own
# tables. It opens nothing that is in a database: a table may be a view with a function of its owner's by then
# (test/administrator.test.ts).
ask_mariadb() {
  mariadb --no-defaults --binary-mode --batch --skip-column-names --default-character-set=utf8mb4
}
