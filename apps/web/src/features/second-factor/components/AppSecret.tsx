import type { NewSecondFactor } from '@postil/contract/people/second-factor.ts'
import { encode } from 'uqr'
import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import styles from './AppSecret.module.css'

type Props = { readonly text: string; readonly label: string; readonly className?: string | undefined }

/** The width of the light margin around the code, in modules. Scanners require this margin (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** Text as a QR code. It is dark on light in every theme, because some scanners can't read light on dark. */
const QrCode = ({ text, label, className }: Props) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className={className} role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}

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
