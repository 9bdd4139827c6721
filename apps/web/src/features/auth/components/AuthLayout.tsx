import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { readLeftOff } from '../left-off.ts'
import styles from './AuthLayout.module.css'
import { Verse } from './Verse.tsx'

// Seldom needed, and the form counts every byte that comes before it.
const LeftOffNotice = lazyPart(() => import('./LeftOffNotice.tsx').then((module) => ({ default: module.LeftOffNotice })))

const LanguageChoice = lazyPart(() => import('./LanguageChoice.tsx').then((module) => ({ default: module.LanguageChoice })))

/** The form stands in the margin of an open page. */
export const AuthLayout = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const { t } = useTranslation('features/auth')
  const [leftOff] = useState(readLeftOff)
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
              <LeftOffNotice leftOff={leftOff} />
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
