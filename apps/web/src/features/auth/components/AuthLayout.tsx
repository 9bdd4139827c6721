import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Mark } from '#ui/Mark.tsx'
import styles from './AuthLayout.module.css'
import { Verse } from './Verse.tsx'

/** The form stands in the margin of an open page. */
export const AuthLayout = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const { t } = useTranslation('features/auth')
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
          {children}
        </div>
      </main>
    </div>
  )
}
