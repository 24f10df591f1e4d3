# shellcheck shell=bash disable=SC2034
# uses: client.sh, mariadb/administrator.sh, postgresql/administrator.sh
# given: databases usernames engines mariadb_dumper postgresql_dumper
dump_named() { # NAME, the password of its user on standard input
  local at name username program
  for at in "${!databases[@]}"; do
    [[ $1 == "${databases[at]}" ]] || continue
    name=$1 username=${usernames[at]} program=${engines[at]}_dumper
    dump_database "${!program}"
    return
  done
  return 1
}

# A line for each, in kilobytes. Of MariaDB the files are looked at: the administrator opens no table.
print_sizes() {
  local at data
  for at in "${!databases[@]}"; do
    if [[ ${engines[at]} == mariadb ]]; then
      data=$(ask_mariadb <<< 'SELECT @@datadir')
      du --summarize --block-size=1K -- "$data/${databases[at]}" | cut -f 1
    else
      ask_postgresql postgres --set=name="${databases[at]}" <<< "SELECT pg_database_size(:'name') / 1024"
    fi
  done
}
