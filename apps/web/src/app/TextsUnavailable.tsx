import { currentLanguage } from '#i18n/texts.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import styles from './Problem.module.css'

/** The only message in the code itself: it reports that the files with all other messages can't be loaded. */
const loadErrorTexts: { readonly [language: string]: string } = {
  de: 'Diese Seite kann gerade nicht geladen werden',
  en: "This page can't be loaded right now",
  es: 'No se puede cargar esta página en este momento',
}

/** Shown instead of the page until its messages load. Loading is retried in the background. */
export const TextsUnavailable = () => (
  <main id="main" tabIndex={-1} className={styles['page']}>
    <title>Postil</title>
    <div className={styles['note']}>
      <Mark size={28} />
      <h1 className={styles['message']}>{loadErrorTexts[currentLanguage()] ?? loadErrorTexts['en']}</h1>
    </div>
  </main>
)
