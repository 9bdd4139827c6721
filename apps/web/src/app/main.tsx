import '#ui/styles/tokens.css'
import '#ui/styles/fonts.css'
import '#ui/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLanguage, setUpTranslations } from '#i18n/setup.ts'
import { loadWithRetries } from '#lib/net/load-with-retries.ts'
import { trackMissingStyles } from '#lib/net/missing-styles.ts'
import { setServerWait } from '#lib/net/next-retry.ts'
import { isReachable, whenReachable } from '#lib/net/reachable.ts'
import { trackReconnects } from '#lib/net/reconnect.ts'
import { reloadOnStaleFiles } from '#lib/net/stale-files.ts'
import { followTheme } from '#lib/prefs/theme.ts'
import { prepareAnnouncer } from '#ui/feedback/announcer.ts'
import { App } from './App.tsx'
import { TextsUnavailable } from './TextsUnavailable.tsx'

trackReconnects()
reloadOnStaleFiles({ isServerUp: isReachable })
setServerWait(whenReachable)
trackMissingStyles()
followTheme()
followLanguage()
prepareAnnouncer()

const root = createRoot(document.getElementById('root') as HTMLElement)

// Messages load first: if text appeared after its boxes, the layout would shift.
void loadWithRetries(setUpTranslations, () => root.render(<TextsUnavailable />)).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
