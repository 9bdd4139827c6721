import type { Home } from '@postil/contract/home.ts'
import { useUser } from '#features/auth/public.ts'
import { GuidesLink } from '#features/guides/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { PythonCode } from '#lib/PythonCode.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './PythonDialog.module.css'

type Props = { readonly home: Home; readonly open: boolean; readonly onOpenChange: (open: boolean) => void }

/** Code that creates a dataset with the Python SDK. */
export const PythonDialog = ({ home, open, onOpenChange }: Props) => {
  const { t } = useTranslation('features/home')
  const user = useUser()
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('pythonTitle')} wide>
      <p className={styles['hint']}>{t('pythonKey')}</p>
      <PythonCode label={t('pythonExample')} user={user} workspaces={home.workspaces} />
      <p className={styles['more']}>
        <GuidesLink />
      </p>
    </Dialog>
  )
}
