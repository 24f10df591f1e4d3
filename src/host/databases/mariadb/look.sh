# shellcheck shell=bash
# uses: administrator.sh
# given: names_only
# What the engine has, a line for each database: its name and what follows it in hexadecimal digits, so that no name can look like
# another line.
if [[ ! $names_only ]]; then
  data=$(ask_mariadb <<< 'SELECT @@datadir') || exit
  # The files show the size without any table being opened.
  find "$data" -mindepth 2 -maxdepth 2 -type f -printf '%h\t%s\n' | awk -F '\t' -v data="$data" \
    '{ size[substr($1, length(data) + 1)] += $2 } END { for (name in size) printf "size\t%s\t%d\n", name, size[name] }'
fi
ask_mariadb << 'END'
SELECT 'version', VERSION();
SELECT 'database', HEX(CONVERT(s.SCHEMA_NAME USING utf8mb4)), s.DEFAULT_CHARACTER_SET_NAME, s.DEFAULT_COLLATION_NAME,
  (SELECT COUNT(*) FROM information_schema.PROCESSLIST p WHERE p.DB = s.SCHEMA_NAME)
FROM information_schema.SCHEMATA s
WHERE s.SCHEMA_NAME NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') LIMIT 3000;
SELECT 'user', HEX(CONVERT(User USING utf8mb4)) FROM mysql.user GROUP BY User LIMIT 6000;
END
