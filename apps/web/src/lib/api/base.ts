/**
 * Returns the path that the web app is served under, without a trailing slash: `''` or `/prefix`. The `<base>` of index.html
 * sets it.
 */
export const basePath = (): string => new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** Adds the prefix to a path of the web app or the API, such as `/api/v1/me`. */
export const href = (path: string): string => `${basePath()}${path}`
