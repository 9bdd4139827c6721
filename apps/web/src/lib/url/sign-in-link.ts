/** Returns the token of a one-time sign-in link, from the part after `#`, which no server or log sees, or from the query. */
export const signInToken = (hash: string, inQuery: string | undefined): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') || inQuery || null
