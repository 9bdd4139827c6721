import type { Page } from 'playwright-core'

/** Delays matching requests until `go` is called. @returns `sent`: a promise that resolves when such a request is sent */
export const holdRequest = async (page: Page, method: string, matches: (url: string) => boolean) => {
  const sent = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().method() !== method || !matches(route.request().url())) return route.fallback()
    sent.resolve()
    await release.promise
    return route.fallback()
  })
  return { sent: sent.promise, go: release.resolve }
}
