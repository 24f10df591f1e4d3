# shellcheck shell=bash
# uses: databases/open-dump.sh
# given: filter
# Runs as the user of the unit. The dump is standard input: a file, or what dump.sh prints. CHECK=1 only checks it. In binary mode the
# client changes no byte, and obeys no command but DELIMITER.
MYSQL_PWD=$(< "$CREDENTIALS_DIRECTORY/password")
export MYSQL_PWD
account=(
  --no-defaults --binary-mode --default-character-set=utf8mb4 --protocol=tcp --host=127.0.0.1 --user="$USERNAME"
  --database="$NAME" --batch --max-allowed-packet=1G
)

is_known() { mariadb "${account[@]}" <<< "SELECT _utf8mb4'' COLLATE $1" > /dev/null 2>&1; } # COLLATION

# What stands for the collations of MySQL 8, which newer versions have.
collations() {
  local base=utf8mb4_uca1400_nopad bin=utf8mb4_nopad_bin
  if is_known utf8mb4_0900_ai_ci; then return; fi
  if is_known "${base}_ai_ci"; then
    echo "ai_ci=${base}_ai_ci as_ci=${base}_as_ci as_cs=${base}_as_cs bin=$bin"
  else
    base=utf8mb4_unicode_520_nopad_ci
    echo "ai_ci=$base as_ci=$base as_cs=$bin bin=$bin"
  fi
}

advice() { # ERROR
  case $1 in
    *'ERROR 1050 '* | *'ERROR 1062 '* | *'ERROR 1304 '* | *'ERROR 1359 '*)
      echo " Empty the database first, which the load can do itself (empty_first)." ;;
    *'ERROR 1044 '* | *'ERROR 1142 '* | *'ERROR 1227 '* | *'ERROR 1045 '*)
      echo " The statement needs more than this database: export the database alone, without accounts and settings of the server." ;;
    *'ERROR 1273 '* | *'ERROR 1115 '*) echo " Export it with a collation that MariaDB knows, such as utf8mb4_unicode_ci." ;;
  esac
}

# The file of a problem that the filter finds, which counts more than what it makes of the statements before.
problem=$(mktemp)
filtered() { opened | PROBLEM=$problem COLLATIONS=$known perl -e "$filter"; }

load() {
  if [[ ! -f /dev/stdin ]]; then mariadb "${account[@]}"; else filtered | mariadb "${account[@]}"; fi
}

known=
if [[ -f /dev/stdin ]]; then
  open_layers
  if [[ $first == 5047444d50* || $(words "$first") == *'-- postgresql database '* ]]; then
    fail "It is a dump of PostgreSQL, and the database is one of MariaDB."
  fi
  [[ ! $first ]] || refuse_others
fi
if [[ ${CHECK-} ]]; then
  check_whole
  # Each of several databases would be loaded into this one. Rows can hold such lines, too: then the filter decides. A line may be
  # longer than what grep should hold.
  if [[ $(opened | cut -b -300 | grep -aE '^USE [`"[:alnum:]]' | awk 'NR == 1 { first = $0 } $0 != first { print "several"; exit }') ]]; then
    filtered > /dev/null || fail "$(< "$problem")"
  fi
  exit
fi
if [[ -f /dev/stdin ]]; then known=$(collations); fi
if ! answer=$(load 2>&1 > /dev/null | tail -c 600); then
  [[ ! -s $problem ]] || fail "$(< "$problem")"
  fail "${answer//$'\n'/ }$(advice "$answer")"
fi
