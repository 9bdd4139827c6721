import type { NewSecondFactor } from '@postil/contract/people/second-factor.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import styles from './AppSecret.module.css'
import { QrCode } from './QrCode.tsx'

/** The secret for an authenticator app, to scan or to type. */
export const AppSecret = ({ app }: { readonly app: NewSecondFactor }) => {
  const { t } = useTranslation('features/second-factor')
  return (
    <div className={styles['app']}>
      <p>{t('scan')}</p>
      <QrCode className={styles['qr']} text={app.uri} label={t('qr')} />
      <p className={styles['hint']}>{t('orType')}</p>
      <div className={styles['secret']}>
        <code>{app.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
        <CopyButton label={t('copySecret')} text={app.secret} />
      </div>
    </div>
  )
}
