/**
 * Returns the URL of a module that is loaded separately (a thread's entry point, the list of operations). In the source tree,
 * the path is relative to this folder. In the built server, all entries are in one folder under flat names.
 *
 * @param path relative to this folder, without extension, for example `db/sqlite/worker` or `../operations`
 */
export const entryUrl = (path: string): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL(`./${path}.ts`, import.meta.url)
    : new URL(`./${path.replace(/^\.\.\//, '').replaceAll('/', '-')}.js`, import.meta.url)
