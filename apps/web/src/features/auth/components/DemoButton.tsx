import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/controls/Button.tsx'
import { byDemo } from '../api.ts'
import styles from './ProviderButtons.module.css'
import { useSignIn } from './use-sign-in.ts'

/** Signs in to the demo account, if the operator has enabled one. */
export const DemoButton = ({ username }: { readonly username: string }) => {
  const { t } = useTranslation('features/auth')
  const { enter, error, isPending } = useSignIn()
  return (
    <div className={styles['providers']}>
      <div className={styles['list']}>
        <p>{t('demo.hint', { username })}</p>
        <Button size="main" busy={isPending} onClick={() => void enter(byDemo)}>
          {t('demo.enter')}
        </Button>
      </div>
      {error && (
        <p role="alert" className={styles['problem']}>
          {problemMessage(error)}
        </p>
      )}
    </div>
  )
}
