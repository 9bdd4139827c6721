import type { User } from '@postil/contract/people/users.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { tellDone } from '#ui/telling/done.ts'
import type { AdministrationCalls } from '../../api.ts'
import { makePassword } from '../../password.ts'
import { useDeed } from '../../use-deed.ts'
import styles from '../AdministrationPage.module.css'
import { FormDialog } from '../FormDialog.tsx'
import { isAboutPassword, isPassword, PasswordInput } from './PasswordInput.tsx'

type Props = { readonly user: User; readonly calls: AdministrationCalls; readonly onClose: () => void }

/** A new password for somebody who has lost theirs, to hand over. */
export const PasswordDialog = ({ user, calls, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  const [password, setPassword] = useState(makePassword)
  const { busy, problem, run } = useDeed()
  const save = async (): Promise<void> => {
    if (!(await run(() => calls.updateUser(user.id, { password })))) return
    tellDone(t('users.hasNewPassword', { username: user.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.newPasswordTitle', { username: user.username })}
      verb={t('users.setPassword')}
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
