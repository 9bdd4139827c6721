import { languageNow } from '#i18n/texts.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import styles from './Problem.module.css'

/** The only sentence of the page that is in its code: it says that the files with all others do not arrive. */
const sentences: { readonly [language: string]: string } = {
  de: 'Diese Seite kann gerade nicht geladen werden',
  en: "This page can't be loaded right now",
  es: 'No se puede cargar esta página en este momento',
}

/** Stands in for the page until its texts are there, which are asked for again meanwhile. */
export const WithoutTexts = () => (
  <main id="main" tabIndex={-1} className={styles['page']}>
    <title>Postil</title>
    <div className={styles['note']}>
      <Mark size={28} />
      <h1 className={styles['message']}>{sentences[languageNow()] ?? sentences['en']}</h1>
    </div>
  </main>
)
