# shellcheck shell=bash
# uses: runner/packages.sh, put-nginx.sh
# given: modules file settings
# `modules`: packages.
for module in $(missing_packages "${modules[@]}"); do
  if ! apt-cache show --no-all-versions "$module" > /dev/null 2>&1; then
    echo "This system has no Brotli for nginx: pages are compressed with gzip."
    exit
  fi
done
need_packages "${modules[@]}"
put_nginx "$file" "$settings"
echo "Pages are compressed with Brotli, or with gzip."
