/**
 * Returns the token of a one-time sign-in link. The token is either in the query or in the part of the URL after `#`, which
 * browsers don't send to servers.
 */
export const signInToken = (hash: string, inQuery: string | undefined): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') || inQuery || null
