import { preloadMessages } from '#i18n/setup.ts'

export { viewsQuery } from './api.ts'

/** Loads the list of views and its messages on first use. Rejects on a network failure. */
export const loadViewsPanel = async () => {
  const [{ ViewsPanel }] = await Promise.all([import('./components/ViewsPanel.tsx'), preloadMessages('features/saved-views')])
  return ViewsPanel
}
