/** The path the application lives under, without a trailing slash: `''` or `/prefix`. index.html's `<base>` says it. */
export const basePath = (): string => new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** A path of ours (`/api/v1/me`) as it is below the prefix. */
export const href = (path: string): string => `${basePath()}${path}`
