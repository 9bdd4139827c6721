/**
 * Browser names in user agent strings. More specific names come first, because a browser also lists the names of the browsers
 * that it is derived from.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Returns a readable browser name such as "Firefox · Linux" for a user agent string. An unrecognized string is returned
 * unchanged. Null if there is no user agent string.
 */
export const browserOf = (agent: string | null): string | null => {
  if (agent === null || agent === '') return null
  const named = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1]
  return [named(browsers), named(systems)].filter((name) => name !== undefined).join(' · ') || agent
}
