import { preloadMessages } from '#i18n/setup.ts'

/** The list of views with its texts, when it is first wanted. Rejects when the network does not give it. */
export const loadViewsPanel = async () => {
  const [{ ViewsPanel }] = await Promise.all([import('./components/ViewsPanel.tsx'), preloadMessages('features/saved-views')])
  return ViewsPanel
}
