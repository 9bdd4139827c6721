import { useTranslation } from '#i18n/use-translation.ts'
import styles from './CodeList.module.css'

/** The recovery codes, which are shown only once. */
export const CodeList = ({ codes }: { readonly codes: readonly string[] }) => {
  const { t } = useTranslation('features/second-factor')
  return (
    <div>
      <p className={styles['hint']}>{t('codesHint')}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}
