import type { Migration } from '../migration.ts'

const people = [
  'CREATE TABLE counters (name {text} PRIMARY KEY, n {int} NOT NULL) {table}',
  `INSERT INTO counters (name, n) VALUES ('dataset_no', 0)`,
  'CREATE TABLE settings (name {text} PRIMARY KEY, value_text {text} NOT NULL) {table}',
  `CREATE TABLE users (id {uuid} PRIMARY KEY, first_name {text} NOT NULL, last_name {text}, username {text} NOT NULL UNIQUE, role {text} NOT NULL,
    password_hash {text} NOT NULL, api_key_hash {text} NOT NULL UNIQUE, api_key_sealed {text} NOT NULL, tokens_valid_from {time}, inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
  'CREATE TABLE workspaces (id {uuid} PRIMARY KEY, name {text} NOT NULL UNIQUE, inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}',
  'CREATE TABLE memberships (workspace_id {uuid} NOT NULL, user_id {uuid} NOT NULL, inserted_at {time} NOT NULL, PRIMARY KEY (workspace_id, user_id)) {table}',
  'CREATE INDEX memberships_user ON memberships (user_id, workspace_id)',
  `CREATE TABLE sessions (token_hash {text} PRIMARY KEY, user_id {uuid} NOT NULL, inserted_at {time} NOT NULL, seen_at {time} NOT NULL, expires_at {time} NOT NULL) {table}`,
  'CREATE INDEX sessions_user ON sessions (user_id)',
  'CREATE TABLE sign_in_links (token_hash {text} PRIMARY KEY, user_id {uuid} NOT NULL, expires_at {time} NOT NULL) {table}',
]

const child = `id {uuid} PRIMARY KEY, dataset_id {uuid} NOT NULL, no {int} NOT NULL, name {text} NOT NULL, title {text} NOT NULL,
    inserted_at {time} NOT NULL, updated_at {time} NOT NULL`

const datasets = [
  `CREATE TABLE datasets (id {uuid} PRIMARY KEY, no {int} NOT NULL UNIQUE, workspace_id {uuid} NOT NULL, name {text} NOT NULL, guidelines {text},
    allow_extra_metadata {bool} NOT NULL, status {text} NOT NULL, min_submitted {int} NOT NULL, metadata {json}, gone_at {time},
    inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
  'CREATE UNIQUE INDEX datasets_name ON datasets (workspace_id, name) WHERE gone_at IS NULL',
  `CREATE TABLE fields (${child}, required {bool} NOT NULL, settings {json} NOT NULL, UNIQUE (dataset_id, name)) {table}`,
  `CREATE TABLE questions (${child}, description {text}, required {bool} NOT NULL, settings {json} NOT NULL, UNIQUE (dataset_id, name)) {table}`,
  `CREATE TABLE metadata_properties (${child}, settings {json} NOT NULL, visible_for_annotators {bool} NOT NULL, UNIQUE (dataset_id, name)) {table}`,
  `CREATE TABLE vector_settings (${child}, dimensions {int} NOT NULL, UNIQUE (dataset_id, name)) {table}`,
]

const counts = [
  `CREATE TABLE dataset_state (dataset_no {int} PRIMARY KEY, next_seq {int} NOT NULL, next_no {int} NOT NULL, content_version {int} NOT NULL) {table}`,
  `CREATE TABLE dataset_counts (dataset_no {int} NOT NULL, slot {int} NOT NULL, kind {text} NOT NULL, n {int} NOT NULL, PRIMARY KEY (dataset_no, slot, kind)) {clustered}`,
  `CREATE TABLE dataset_activity (dataset_no {int} NOT NULL, slot {int} NOT NULL, last_activity_at {time} NOT NULL, PRIMARY KEY (dataset_no, slot)) {clustered}`,
  `CREATE TABLE dataset_users (dataset_no {int} NOT NULL, user_id {uuid} NOT NULL, inserted_at {time} NOT NULL, PRIMARY KEY (dataset_no, user_id)) {clustered}`,
  `CREATE TABLE user_counts (dataset_no {int} NOT NULL, user_id {uuid} NOT NULL, record_status {text} NOT NULL, response_status {text} NOT NULL, n {int} NOT NULL,
    PRIMARY KEY (dataset_no, user_id, record_status, response_status)) {clustered}`,
  `CREATE TABLE record_blocks (dataset_no {int} NOT NULL, block {int} NOT NULL, n {int} NOT NULL, PRIMARY KEY (dataset_no, block)) {clustered}`,
]

const records = [
  `CREATE TABLE records (dataset_no {int} NOT NULL, id {uuid} NOT NULL, seq {int} NOT NULL, external_id {text}, external_key {text}, status {text} NOT NULL,
    submitted {int} NOT NULL, shuffle {int} NOT NULL, fields {json} NOT NULL, metadata {json}, inserted_at {time} NOT NULL, updated_at {time} NOT NULL,
    PRIMARY KEY (dataset_no, id)) {table}`,
  'CREATE UNIQUE INDEX records_seq ON records (dataset_no, seq)',
  'CREATE UNIQUE INDEX records_external ON records (dataset_no, external_key)',
  'CREATE INDEX records_queue ON records (dataset_no, status, shuffle, seq)',
  'CREATE INDEX records_status ON records (dataset_no, status, seq)',
  `CREATE TABLE record_terms (dataset_no {int} NOT NULL, key {int} NOT NULL, value_key {text} NOT NULL, seq {int} NOT NULL, PRIMARY KEY (dataset_no, key, value_key, seq)) {clustered}`,
  'CREATE INDEX record_terms_seq ON record_terms (dataset_no, seq, key, value_key)',
  `CREATE TABLE record_numbers (dataset_no {int} NOT NULL, key {int} NOT NULL, number {real} NOT NULL, seq {int} NOT NULL, PRIMARY KEY (dataset_no, key, number, seq)) {clustered}`,
  'CREATE INDEX record_numbers_seq ON record_numbers (dataset_no, seq, key, number)',
  `CREATE TABLE suggestions (dataset_no {int} NOT NULL, seq {int} NOT NULL, question_no {int} NOT NULL, id {uuid} NOT NULL, type {text}, value {json} NOT NULL, agent {text},
    score {json}, inserted_at {time} NOT NULL, updated_at {time} NOT NULL, PRIMARY KEY (dataset_no, seq, question_no)) {table}`,
  'CREATE UNIQUE INDEX suggestions_id ON suggestions (dataset_no, id)',
  `CREATE TABLE vectors (dataset_no {int} NOT NULL, setting_no {int} NOT NULL, seq {int} NOT NULL, embedding {vector} NOT NULL, raw {blob} NOT NULL, inserted_at {time} NOT NULL,
    PRIMARY KEY (dataset_no, setting_no, seq)) {table}`,
  'CREATE INDEX vectors_seq ON vectors (dataset_no, seq)',
  `CREATE TABLE dataset_tokens (dataset_no {int} NOT NULL, token {text} NOT NULL, df {int} NOT NULL, PRIMARY KEY (dataset_no, token)) {clustered}`,
]

const responses = [
  `CREATE TABLE responses (dataset_no {int} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL, id {uuid} NOT NULL, record_id {uuid} NOT NULL, "values" {json} NOT NULL,
    status {text} NOT NULL, version {int} NOT NULL, last_mutation_id {text}, inserted_at {time} NOT NULL, updated_at {time} NOT NULL, PRIMARY KEY (dataset_no, seq, user_id)) {table}`,
  'CREATE UNIQUE INDEX responses_id ON responses (dataset_no, id)',
  'CREATE INDEX responses_user ON responses (dataset_no, user_id, status, seq)',
  'CREATE INDEX responses_status ON responses (dataset_no, status, seq)',
  `CREATE TABLE response_terms (dataset_no {int} NOT NULL, key {int} NOT NULL, value_key {text} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL,
    PRIMARY KEY (dataset_no, key, value_key, seq, user_id)) {clustered}`,
  'CREATE INDEX response_terms_seq ON response_terms (dataset_no, seq, user_id, key, value_key)',
  `CREATE TABLE response_numbers (dataset_no {int} NOT NULL, key {int} NOT NULL, number {real} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL,
    PRIMARY KEY (dataset_no, key, number, seq, user_id)) {clustered}`,
  'CREATE INDEX response_numbers_seq ON response_numbers (dataset_no, seq, user_id, key, number)',
  `CREATE TABLE response_tombstones (dataset_no {int} NOT NULL, id {uuid} NOT NULL, seq {int} NOT NULL, record_id {uuid} NOT NULL, user_id {uuid} NOT NULL, version {int} NOT NULL,
    last_mutation_id {text}, deleted_at {time} NOT NULL, PRIMARY KEY (dataset_no, id)) {table}`,
  'CREATE INDEX response_tombstones_user ON response_tombstones (dataset_no, seq, user_id)',
  `CREATE TABLE leases (dataset_no {int} NOT NULL, seq {int} NOT NULL, user_id {uuid} NOT NULL, until {time} NOT NULL, PRIMARY KEY (dataset_no, seq, user_id)) {clustered}`,
  'CREATE INDEX leases_user ON leases (dataset_no, user_id, until)',
  `CREATE TABLE history (dataset_no {int} NOT NULL, seq {int} NOT NULL, id {uuid} NOT NULL, subject {text} NOT NULL, subject_id {uuid} NOT NULL, action {text} NOT NULL,
    user_id {uuid}, at {time} NOT NULL, image {json} NOT NULL, PRIMARY KEY (dataset_no, seq, id)) {table}`,
]

const background = [
  `CREATE TABLE webhooks (id {uuid} PRIMARY KEY, url {text} NOT NULL, secret_sealed {text} NOT NULL, events {json} NOT NULL, enabled {bool} NOT NULL, description {text},
    inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
  `CREATE TABLE outbox (id {uuid} PRIMARY KEY, webhook_id {uuid} NOT NULL, dataset_no {int} NOT NULL, subject_id {uuid} NOT NULL, event {text} NOT NULL, at {time} NOT NULL,
    payload {json} NOT NULL, state {text} NOT NULL, attempts {int} NOT NULL, available_at {time} NOT NULL) {table}`,
  'CREATE INDEX outbox_due ON outbox (state, available_at, id)',
  'CREATE INDEX outbox_subject ON outbox (webhook_id, subject_id, id)',
  `CREATE TABLE jobs (id {uuid} PRIMARY KEY, kind {text} NOT NULL, dataset_no {int}, user_id {uuid}, args {json} NOT NULL, state {text} NOT NULL, done {int} NOT NULL, total {int},
    reason {text}, attempts {int} NOT NULL, available_at {time} NOT NULL, inserted_at {time} NOT NULL, updated_at {time} NOT NULL) {table}`,
  'CREATE INDEX jobs_due ON jobs (state, available_at)',
]

export const foundations: Migration = {
  name: '0001-foundations',
  statements: [...people, ...datasets, ...counts, ...records, ...responses, ...background],
  only: { sqlite: [], postgres: [] },
}
