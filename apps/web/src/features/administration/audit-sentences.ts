/** The audited actions that are described in a sentence. Other actions are shown with the name of their route. */
export const knownActions = [
  'users.create',
  'users.update',
  'users.delete',
  'users.change_api_key',
  'users.change_my_password',
  'users.delete_sessions',
  'users.remove_second_factor',
  'users.create_password_link',
  'users.delete_password_link',
  'password_links.use',
  'invitations.create',
  'invitations.renew',
  'invitations.delete',
  'invitations.accept',
  'second_factor.activate',
  'second_factor.renew',
  'second_factor.remove',
  'workspaces.create',
  'workspaces.delete',
  'workspaces.add_user',
  'workspaces.remove_user',
  'datasets.create',
  'datasets.update',
  'datasets.publish',
  'datasets.delete',
  'queue.set_settings',
  'review.let_continue',
  'review.set_settings',
  'review.start_job',
  'review.undo_job',
  'review.start_answer_job',
  'review.undo_answer_job',
  'schema_versions.apply',
  'schema_versions.revert',
  'schema_versions.resume',
  'snapshots.create',
  'snapshots.rename',
  'snapshots.delete',
  'assignments.assign',
  'assignments.unassign',
  'assignments.move',
  'assignments.undo',
  'records.delete',
  'records.delete_many',
  'record_deletions.start',
  'imports.start',
  'files.download',
  'hub.import',
  'hub.export',
  'jobs.cancel',
  'oauth.delete_my_identity',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotate_secret',
  'webhooks.ping',
  'webhooks.resend',
  'model_connections.create',
  'model_connections.update',
  'model_connections.delete',
  'model_connections.check',
  'model_runs.start',
  'model_runs.resume',
  'model_runs.publish',
  'model_runs.unpublish',
  'model_runs.delete',
  'agents.add_suggestions',
  'agents.add_comment',
  'agents.propose_final_answers',
  'label_colours.update',
  'instance.change_secret',
  'instance.compact',
  'instance.backup',
  'instance.restore',
  'instance.migrate-from',
  'sign_ins.succeeded',
  'sign_ins.failed',
  'fields.create',
  'fields.update',
  'fields.delete',
  'questions.create',
  'questions.update',
  'questions.delete',
  'metadata_properties.create',
  'metadata_properties.update',
  'metadata_properties.delete',
  'vectors_settings.create',
  'vectors_settings.update',
  'vectors_settings.delete',
  'search_settings.set',
  'active_time_settings.set',
  'suggestion_settings.set',
] as const
type KnownAction = (typeof knownActions)[number]

const isKnown = (action: string): action is KnownAction => (knownActions as readonly string[]).includes(action)

type Hyphenated<A extends string> = A extends `${infer First}${'.' | '_'}${infer Rest}` ? `${First}-${Hyphenated<Rest>}` : A
/** The message key of an action's sentence, relative to `audit.sentence`. */
export const sentenceKey = (action: string): Hyphenated<KnownAction> | 'other' =>
  isKnown(action) ? (action.replaceAll(/[._]/g, '-') as Hyphenated<KnownAction>) : 'other'

/** The message key of each sign-in method, keyed by the server's name for the method. */
const means: { readonly [name: string]: SignInMeans } = {
  password: 'password',
  'password for a token': 'passwordForToken',
  'second factor': 'secondFactor',
  link: 'link',
  invitation: 'invitation',
  'password link': 'passwordLink',
  demo: 'demo',
  provider: 'provider',
}
type SignInMeans = 'password' | 'passwordForToken' | 'secondFactor' | 'link' | 'invitation' | 'passwordLink' | 'demo' | 'provider'
export const meansKey = (name: unknown): SignInMeans | undefined => means[String(name)]

type SentencePart = { readonly text: string } | { readonly name: string }

/** The start and end marks of a placeholder in a rendered sentence: private-use characters, which occur in no translation. */
const [open, close] = ['\ue000', '\ue001']
export const mark = (name: string): string => `${open}${name}${close}`

/** Splits a sentence that was rendered with marked placeholders into its text parts and its placeholders. */
export const partsOf = (sentence: string): readonly SentencePart[] =>
  sentence
    .split(open)
    .flatMap((part, index): SentencePart[] => {
      if (index === 0) return [{ text: part }]
      const [name = '', rest = ''] = part.split(close)
      return [{ name }, { text: rest }]
    })
    .filter((part) => 'name' in part || part.text !== '')
