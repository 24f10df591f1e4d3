# shellcheck shell=bash
# Each function leaves its result in the variable `quoted`: a subshell for each name would cost more than the statement.

quote_name() { # NAME
  quoted="\`${1//\`/\`\`}\`"
}

quote_text() { # TEXT
  local backslash=\\ quote=\'
  quoted=${1//"$backslash"/"$backslash$backslash"}
  quoted="'${quoted//"$quote"/"$quote$quote"}'"
}

# In a grant the name of a database is a pattern.
quote_pattern() { # NAME
  local backslash=\\
  quoted=${1//"$backslash"/"$backslash$backslash"}
  quoted=${quoted//_/"$backslash"_}
  quoted=${quoted//%/"$backslash"%}
  quote_name "$quoted"
}

quote_account() { # USERNAME ORIGIN
  local user
  quote_text "$1"
  user=$quoted
  quote_text "$2"
  quoted=$user@$quoted
}
