/**
 * URL of a module that is loaded by itself (a thread's entry, the list of operations). From source it is the file
 * beside this one; in the built server all entries lie in one folder under flat names.
 *
 * @param path relative to this folder, without extension, for example `db/sqlite/worker` or `../operations`
 */
export const entryUrl = (path: string): URL =>
  import.meta.url.endsWith('.ts')
    ? new URL(`./${path}.ts`, import.meta.url)
    : new URL(`./${path.replace(/^\.\.\//, '').replaceAll('/', '-')}.js`, import.meta.url)
