/**
 * The path that the application is served under, without a trailing slash: `''` or `/prefix`. Set by the `<base>` of
 * index.html.
 */
export const basePath = (): string => new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** Adds the prefix to a path of the application, such as `/api/v1/me`. */
export const href = (path: string): string => `${basePath()}${path}`
