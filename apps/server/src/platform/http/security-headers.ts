const policy = (directives: { readonly [name: string]: string }): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

/**
 * Every answer: no guessing of types, no address of ours to other hosts, nothing that runs, is shown in a frame or is kept, unless an answer
 * says otherwise.
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

/** Where the operator says that the address is https, browsers keep to it, for a year from the last answer. */
export const transportHeaders = (publicUrl: string | undefined): { readonly [name: string]: string } =>
  publicUrl?.startsWith('https:') === true ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}

/** Answers of the API are data for our own page and for clients, never a document or somebody else's image. */
export const ofApi = { 'cross-origin-resource-policy': 'same-origin' } as const

/**
 * The page: scripts from our own files only, and those that the built document holds itself, by their hashes. Pictures of records come from anywhere. `style-src-attr` because sanitised
 * text and libraries carry style attributes; style elements stay refused. `base-uri 'self'` because index.html says its prefix so.
 */
export const pagePolicy = (frameAncestors: readonly string[], scriptHashes: readonly string[] = []): string =>
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

/** Files that strangers made: shown where they are asked for, and never a document that runs anything. */
export const fileHeaders = {
  'content-security-policy': policy({ 'default-src': "'none'", 'frame-ancestors': "'none'", sandbox: '' }),
} as const

/** The worker that keeps the page's own files: it fetches them, and runs nothing but itself. */
export const workerHeaders = {
  'content-security-policy': policy({ 'default-src': "'none'", 'connect-src': "'self'" }),
} as const

export const pageHeaders = (frameAncestors: readonly string[], scriptHashes: readonly string[] = []) => ({
  ...everywhere,
  'content-security-policy': pagePolicy(frameAncestors, scriptHashes),
  // NOTE: in a frame sign-in takes a window of its own, which has to reach the page that opened it when it is back with us
  ...(frameAncestors.length === 0 && { 'cross-origin-opener-policy': 'same-origin-allow-popups' }),
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
})

/**
 * The document of custom fields: a template of the dataset's makers with scripts of its own, in an origin of its own
 * (`sandbox` without `allow-same-origin`), that reaches neither our API nor any other by request.
 */
export const frameHeaders = (frameAncestors: readonly string[]) => ({
  ...everywhere,
  'content-security-policy': policy({
    sandbox: 'allow-scripts',
    'default-src': "'none'",
    'script-src': "'self' 'unsafe-inline' 'unsafe-eval' https:",
    'style-src': "'self' 'unsafe-inline' https:",
    'img-src': "'self' https: http: data: blob:",
    'media-src': "'self' https: http: data: blob:",
    'font-src': "'self' https: data:",
    'connect-src': "'none'",
    'frame-src': "'none'",
    'worker-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    // NOTE: all ancestors count, so whoever may show our page has to be named here too
    'frame-ancestors': ["'self'", ...frameAncestors].join(' '),
  }),
})
