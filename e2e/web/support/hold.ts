import type { Page } from 'playwright-core'

/** Holds a request. @returns when it was sent, and what lets it go */
export const hold = async (page: Page, method: string, matches: (url: string) => boolean) => {
  const sent = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().method() !== method || !matches(route.request().url())) return route.fallback()
    sent.resolve()
    await held.promise
    return route.fallback()
  })
  return { sent: sent.promise, go: held.resolve }
}
