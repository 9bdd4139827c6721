/**
 * Returns the token of a one-time sign-in link. The token is in the part of the URL after `#`, which no server or log sees, or in
 * the query.
 */
export const signInToken = (hash: string, inQuery: string | undefined): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') || inQuery || null
