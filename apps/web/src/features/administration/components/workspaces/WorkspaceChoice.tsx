import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from '../AdministrationPage.module.css'

type Props = {
  readonly workspaces: readonly Workspace[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** A choice of the workspaces that a user is a member of. */
export const WorkspaceChoice = ({ workspaces, chosen, onChange }: Props) => {
  const { t } = useTranslation('features/administration')
  const toggle = (id: string, on: boolean): void => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <fieldset className={styles['choices']}>
      <legend>{t('section.workspaces')}</legend>
      {workspaces.length === 0 && <p className={styles['none']}>{t('workspaces.none')}</p>}
      {workspaces.map(({ id, name }) => (
        <label key={id} className={styles['choice']}>
          <input type="checkbox" checked={chosen.has(id)} onChange={(event) => toggle(id, event.target.checked)} />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
