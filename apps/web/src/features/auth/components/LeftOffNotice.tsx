import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/Notice.tsx'
import type { LeftOff } from '../left-off.ts'
import styles from './LeftOffNotice.module.css'

/** Why the page that was here is gone: who comes back to this tab has not seen it go. */
export const LeftOffNotice = ({ why }: Pick<LeftOff, 'why'>) => {
  const { t } = useTranslation('features/auth')
  return (
    <div className={styles['place']}>
      <Notice>{t(`leftOff.${why}`)}</Notice>
    </div>
  )
}
