import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import { interruptedSession } from '../interrupted-session.ts'
import styles from './AuthLayout.module.css'
import { Verse } from './Verse.tsx'

// Loaded separately, because it is rarely needed and the form must load fast.
const LeftOffNotice = lazyPart(() =>
  import('./InterruptedSessionNotice.tsx').then((module) => ({ default: module.InterruptedSessionNotice })),
)

const LanguageChoice = lazyPart(() => import('./LanguageChoice.tsx').then((module) => ({ default: module.LanguageChoice })))

/** The layout of the sign-in pages. It looks like an open book: one page has text, and its wide margin contains the form. */
export const AuthLayout = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const { t } = useTranslation('features/auth')
  const [leftOff] = useState(interruptedSession.read)
  return (
    <div className={styles['layout']}>
      <div className={styles['page']} aria-hidden="true">
        <Verse />
      </div>
      <main id="main" tabIndex={-1} className={styles['margin']}>
        <div className={styles['content']}>
          <p className={styles['brand']}>
            <Mark size={26} />
            <span className={styles['name']}>Postil</span>
          </p>
          <p className={styles['claim']}>{t('claim')}</p>
          <h1 className={styles['title']}>{title}</h1>
          {leftOff && (
            <Suspense>
              <LeftOffNotice interruptedSession={leftOff} />
            </Suspense>
          )}
          {children}
          <div className={styles['language']}>
            <Suspense>
              <LanguageChoice />
            </Suspense>
          </div>
        </div>
      </main>
    </div>
  )
}
