import { currentLanguage } from '#i18n/texts.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import styles from '#ui/page/NotePage.module.css'
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

/** The only message in the code itself, shown when the files with all other messages can't be loaded. */
const loadErrorTexts: { readonly [language: string]: string } = {
  de: 'Diese Seite kann gerade nicht geladen werden',
  en: "This page can't be loaded right now",
  es: 'No se puede cargar esta página en este momento',
}

/** Shown instead of the page until its messages load. Loading is retried in the background. */
const TextsUnavailable = () => (
  <main id="main" tabIndex={-1} className={styles['page']}>
    <title>Postil</title>
    <div className={styles['note']}>
      <Mark size={28} />
      <h1 className={styles['title']}>{loadErrorTexts[currentLanguage()] ?? loadErrorTexts['en']}</h1>
    </div>
  </main>
)

trackReconnects()
reloadOnStaleFiles({ isServerUp: isReachable })
setServerWait(whenReachable)
trackMissingStyles()
followTheme()
followLanguage()
prepareAnnouncer()

const root = createRoot(document.getElementById('root') as HTMLElement)

// Messages load first: if text appeared after the layout, the layout would shift.
void loadWithRetries(setUpTranslations, () => root.render(<TextsUnavailable />)).then(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
