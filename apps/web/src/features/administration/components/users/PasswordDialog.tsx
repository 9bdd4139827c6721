import type { User } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { makePassword } from '../../password.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import styles from '../AdministrationPage.module.css'
import { isAboutPassword, isPassword, PasswordInput } from './PasswordInput.tsx'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

/** Sets a new password for a user who has lost theirs. The owner passes the new password on to the user. */
export const PasswordDialog = ({ user, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const [password, setPassword] = useState(makePassword)
  const { busy, problem, run } = useAsyncAction()
  const save = async (): Promise<void> => {
    if (!(await run(() => calls.updateUser(user.id, { password })))) return
    showSuccess(t('users.hasNewPassword', { username: user.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.newPasswordTitle', { username: user.username })}
      submitLabel={t('users.setPassword')}
      busy={busy}
      blocked={!isPassword(password)}
      problem={isAboutPassword(problem) ? null : problem}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className={styles['hint']}>{t('users.newPasswordHint')}</p>
      <PasswordInput value={password} onChange={setPassword} problem={problem} />
    </FormDialog>
  )
}
