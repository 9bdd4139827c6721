const policy = (directives: { readonly [name: string]: string }): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/**
 * Headers for every response. They forbid type sniffing, referrers to other hosts and, unless a response overrides them,
 * scripts, framing and caching.
 */
export const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'content-security-policy': policy({
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'object-src': "'none'",
  }),
  'cache-control': 'no-store',
} as const

/** If the public address is https, browsers must use https for a year from the last response. */
export const transportHeaders = (publicUrl: string | undefined): { readonly [name: string]: string } =>
  publicUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}

/** API responses are data for the web app and other clients. Other sites must not use them as documents or images. */
export const ofApi = { 'cross-origin-resource-policy': 'same-origin' } as const

/**
 * The web app's content security policy.
 * - Scripts: Postil's own files, and the inline scripts of the document, which are identified by hash.
 * - Images: any origin, because records can refer to images anywhere.
 * - `style-src-attr`: sanitized text and libraries use style attributes. Style elements are refused.
 * - `base-uri 'self'`: index.html contains its prefix in `<base>`.
 */
const pagePolicy = (frameAncestors: readonly string[], scriptHashes: readonly string[] = []): string =>
  policy({
    'default-src': "'none'",
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    'style-src': "'self'",
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' https: http: data: blob:",
    'media-src': "'self' https: http: data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'frame-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'self'",
    'form-action': "'self'",
    'frame-ancestors': frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' '),
  })

/** Headers for untrusted files, which may be displayed on request but never run as a document. */
export const fileHeaders = {
  'content-security-policy': policy({ 'default-src': "'none'", 'frame-ancestors': "'none'", sandbox: '' }),
} as const

/**
 * Headers for the service worker that caches the web app's files. The worker may fetch files from this server, but may not run
 * other scripts.
 */
export const workerHeaders = {
  'content-security-policy': policy({ 'default-src': "'none'", 'connect-src': "'self'" }),
} as const

export const pageHeaders = (frameAncestors: readonly string[], scriptHashes: readonly string[] = []) => ({
  ...everywhere,
  'content-security-policy': pagePolicy(frameAncestors, scriptHashes),
  // Omitted in a frame: sign-in there uses a separate window. When that window returns to our origin, it must be able to access
  // the page that opened it.
  ...(frameAncestors.length === 0 && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
})

/** `*` stands for every origin with HTTPS. */
const sourceList = (sources: readonly string[]): string =>
  ['', ...sources.map((source) => (source === '*' ? 'https:' : source))].join(' ')

/**
 * Headers for the document of custom fields. The document contains a dataset author's template with its own scripts. It has its
 * own origin (`sandbox` without `allow-same-origin`), and can't send requests to our API. It can load scripts, styles and fonts
 * only from this server and the listed sources. This policy lets images and media from any origin pass, because the server
 * doesn't know the record. Before the template, the document writes a stricter policy for images and media (`frame.ts` in the web
 * app).
 */
export const frameHeaders = (frameAncestors: readonly string[], sources: readonly string[] = []) => ({
  ...everywhere,
  'content-security-policy': policy({
    sandbox: 'allow-scripts',
    'default-src': "'none'",
    'script-src': `'self' 'unsafe-inline' 'unsafe-eval'${sourceList(sources)}`,
    'style-src': `'self' 'unsafe-inline'${sourceList(sources)}`,
    'img-src': "'self' https: http: data: blob:",
    'media-src': "'self' https: http: data: blob:",
    'font-src': `'self' data:${sourceList(sources)}`,
    'connect-src': "'none'",
    'frame-src': "'none'",
    'worker-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    // `frame-ancestors` is checked against all ancestors, so sites that may embed the web app must be listed here too.
    'frame-ancestors': ["'self'", ...frameAncestors].join(' '),
  }),
  // Without this header, browsers would look up the host names in links and hints before anything is loaded.
  'x-dns-prefetch-control': 'off',
})
