import type { UserRole } from '@postil/contract/people/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { FormDialog } from '#ui/overlays/FormDialog.tsx'
import type { AdministrationCalls } from '../../api.ts'
import { workspacesQuery } from '../../api.ts'
import { makePassword } from '../../password.ts'
import { useAsyncAction } from '../../use-async-action.ts'
import styles from '../AdministrationPage.module.css'
import { WorkspaceChoice } from '../workspaces/WorkspaceChoice.tsx'
import type { Names } from './NamesInputs.tsx'
import { hasNames, isAboutUsername, NamesInputs, trimmed } from './NamesInputs.tsx'
import { isAboutPassword, isPassword, PasswordInput } from './PasswordInput.tsx'

const roles: readonly UserRole[] = ['annotator', 'admin', 'owner']

/** Adds a user with a choice of workspaces and a password. The owner passes the password on to the user. */
export const NewUserDialog = ({ calls, onClose }: { readonly calls: AdministrationCalls; readonly onClose: () => void }) => {
  const { t } = useTranslation('features/administration')
  const { t: common } = useTranslation()
  const { data: workspaces = [] } = useQuery(workspacesQuery())
  const [names, setNames] = useState<Names>({ username: '', first_name: '', last_name: '' })
  const [role, setRole] = useState<UserRole>('annotator')
  const [isAgent, setAgent] = useState(false)
  const [password, setPassword] = useState(makePassword)
  const [edited, setEdited] = useState<ReadonlySet<string> | null>(null)
  // Preselects the only workspace or the one named `default`, because a new user sees nothing without a workspace.
  const usual = workspaces.length === 1 ? workspaces[0] : workspaces.find(({ name }) => name === 'default')
  const chosen = edited ?? new Set(usual === undefined ? [] : [usual.id])
  const { busy, problem, run } = useAsyncAction()
  const add = async (): Promise<void> => {
    const memberOf = role === 'owner' ? [] : [...chosen]
    const stored = trimmed(names)
    const added = await run(() => calls.createUser({ ...stored, role, password, agent: isAgent }, memberOf))
    if (!added) return
    showSuccess(t('users.added', { username: stored.username }))
    onClose()
  }
  return (
    <FormDialog
      title={t('users.add')}
      submitLabel={t('users.addVerb')}
      busy={busy}
      blocked={!hasNames(names) || !isPassword(password)}
      problem={isAboutUsername(problem) || isAboutPassword(problem) ? null : problem}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <NamesInputs names={names} onChange={setNames} problem={problem} />
      <PasswordInput value={password} onChange={setPassword} problem={problem} />
      <div className={styles['labelled']}>
        <span aria-hidden="true">{t('users.role')}</span>
        <Select
          label={t('users.role')}
          value={role}
          options={roles.map((value) => ({ value, label: common(`user.role.${value}`) }))}
          onChange={setRole}
        />
        <p className={styles['hint']}>{t(`users.about.${role}`)}</p>
      </div>
      <Switch label={t('users.agent')} hint={t('users.agentHint')} checked={isAgent} onChange={setAgent} />
      {role !== 'owner' && <WorkspaceChoice workspaces={workspaces} chosen={chosen} onChange={setEdited} />}
      {role !== 'owner' && chosen.size === 0 && <p className={styles['hint']}>{t('users.noWorkspace')}</p>}
    </FormDialog>
  )
}
