export { IntervalBar } from './agreement/IntervalBar.tsx'
export { formatCoefficient, formatShare } from './parts/format.ts'
export { Panel, TableScroller, tableClass } from './parts/Panel.tsx'

import { preloadTypeMessages } from '#i18n/setup.ts'

/** Loads the messages of the overview page. */
export const loadOverviewMessages = (): Promise<void> => preloadTypeMessages('features/overview', 'features/records')
