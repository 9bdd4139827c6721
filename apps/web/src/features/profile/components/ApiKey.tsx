import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { NewKey } from './NewKey.tsx'
import styles from './ProfilePage.module.css'

const dots = '•'.repeat(24)

/** The user's API key: hidden until it is revealed, with a button that copies it. */
export const ApiKey = ({ value, userId }: { readonly value: string; readonly userId: string }) => {
  const { t } = useTranslation('features/profile')
  const [isShown, setShown] = useState(false)
  return (
    <section className={styles['part']} aria-labelledby="key">
      <h2 id="key">{t('key')}</h2>
      <p className={styles['hint']}>{t('keyHint')}</p>
      <div className={styles['key']}>
        <code className={styles['value']}>
          {isShown ? value : <span aria-hidden="true">{dots}</span>}
          {!isShown && <VisuallyHidden>{t('keyHidden')}</VisuallyHidden>}
        </code>
        <CopyButton label={t('copyKey')} text={value} />
        <Button aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? t('hideKey') : t('showKey')}
        </Button>
        <NewKey userId={userId} />
      </div>
    </section>
  )
}
