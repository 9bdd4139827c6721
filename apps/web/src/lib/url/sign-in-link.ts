/** Returns the token of a one-time sign-in link: after `#`, where no server or log sees it, or in the query. */
export const signInToken = (hash: string, inQuery: string | undefined): string | null =>
  new URLSearchParams(hash.replace(/^#/, '')).get('link') || inQuery || null
