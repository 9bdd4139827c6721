/**
 * Returns the path if it is safe to return to after sign-in: same origin, below the prefix, and not the sign-in page. Returns
 * null for anything else (`//host`, `/\host`, `javascript:`). `origin` has the form `https://host`; `base` is empty or has the
 * form `/prefix`.
 */
export const safeReturnPath = (path: string | null, origin: string, base: string): string | null => {
  if (path === null || !path.startsWith('/') || /[\p{Cc}\\]/u.test(path)) return null
  const url = URL.canParse(path, origin) ? new URL(path, origin) : null
  // `/..//host` has our origin, but resolves to `//host`.
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return null
  const inside = url.pathname === base || url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) || '/' : null
  if (inside === null || inside.startsWith('//') || /^\/(sign-in|welcome-hf-sign-in|oauth)(\/|$)/.test(inside)) return null
  const full = inside + url.search + url.hash
  return full === '/' ? null : full
}
