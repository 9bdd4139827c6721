import '#ui/styles/tokens.css'
import '#ui/styles/fonts.css'
import '#ui/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followLanguage, setUpTranslations } from '#i18n/setup.ts'
import { noteComebacks } from '#lib/net/comeback.ts'
import { loadAtLast } from '#lib/net/load-at-last.ts'
import { noteMissingStyles } from '#lib/net/missing-styles.ts'
import { setUpChances } from '#lib/net/next-chance.ts'
import { isReachable, whenReachable } from '#lib/net/reachable.ts'
import { reloadOnStaleFiles } from '#lib/net/stale-files.ts'
import { followTheme } from '#lib/prefs/theme.ts'
import { prepareAnnouncer } from '#ui/telling/announcer.ts'
import { App } from './App.tsx'
import { WithoutTexts } from './WithoutTexts.tsx'

noteComebacks()
reloadOnStaleFiles({ isThere: isReachable })
setUpChances(whenReachable)
noteMissingStyles()
followTheme()
followLanguage()
prepareAnnouncer()

const root = createRoot(document.getElementById('root') as HTMLElement)

// Texts first: a page whose words arrive after its boxes jumps.
void loadAtLast(setUpTranslations, () => root.render(<WithoutTexts />)).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
