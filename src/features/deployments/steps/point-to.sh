# shellcheck shell=bash
# given: second_port_flag wants_prefix unit_template second_port
# Makes a process the one that nginx asks and that the server starts. `wants_prefix`: of the links of units.

point_to() { # RELEASE PORT OTHER-PORT
  if [[ $1 = - ]]; then
    rm -f -- current "$second_port_flag" "$wants_prefix$3.service"
    return
  fi
  ln -sfn "$unit_template" "$wants_prefix$2.service"
  ln -sfn "$1" current.new
  mv -T current.new current
  if [[ $2 = "$second_port" ]]; then
    : > "$second_port_flag.new"
    mv -T "$second_port_flag.new" "$second_port_flag"
  else
    rm -f -- "$second_port_flag"
  fi
  [[ $3 = - ]] || rm -f -- "$wants_prefix$3.service"
}
