/** The header with a Hub token for datasets that are not public. If it is omitted, the server's own token is used. */
export const hubTokenHeader = 'x-postil-hub-token'

/**
 * The characters that a header can contain. A token with any other character would fail in the HTTP client, and the error would
 * put the token into the log.
 */
export const hubTokenForm = /^[!-~]+$/
