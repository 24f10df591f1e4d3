# shellcheck shell=bash disable=SC2154
rm -rf -- "$copy" "$copy.new"
