/**
 * An origin that is safe to use in a policy. URL hosts may contain characters that have a special meaning in a policy, such as
 * `;` and `*`.
 */
const plainOrigin = /^https?:\/\/[a-z\d._-]+(?::\d+)?$/

/**
 * Returns the policy of one template and record. The policy in the response header allows images from any origin, so this policy
 * restricts their origins. It also repeats the other directives, because browsers allow a prefetch if any directive would allow
 * it.
 *
 * @param images see `RenderMessage`
 * @param sources the origins that the server lists; `*` means every HTTPS origin
 */
export const policyOf = (images: readonly string[] | null, sources: readonly string[]): string => {
  const plain = (origins: readonly string[]) => origins.filter((origin) => plainOrigin.test(origin))
  const listed = [...(sources.includes('*') ? ['https:'] : []), ...plain(sources)]
  const media = ["'self'", 'data:', 'blob:', ...new Set([...(images === null ? ['https:', 'http:'] : plain(images)), ...listed])]
  const directives = [
    ['default-src', "'none'"],
    ['script-src', ...(images === null ? ["'none'"] : ["'self'", "'unsafe-inline'", "'unsafe-eval'", ...listed])],
    ['style-src', "'self'", "'unsafe-inline'", ...listed],
    ['font-src', "'self'", 'data:', ...listed],
    ['img-src', ...media],
    ['media-src', ...media],
  ]
  return directives.map((parts) => parts.join(' ')).join('; ')
}
