interface ListPage<Item> {
  data: readonly Item[];
  total_pages: number;
}

/** What all pages of a list have: for lists that the API does not filter by the record in question. */
export async function allPages<Item>(read: (page: number) => Promise<ListPage<Item>>): Promise<Item[]> {
  const first = await read(1);
  const found = [...first.data];
  for (let page = 2; page <= first.total_pages; page++) found.push(...(await read(page)).data);
  return found;
}
