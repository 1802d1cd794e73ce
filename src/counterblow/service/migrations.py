"""The tables, as they came to be: a database of any age is brought up to date by the migrations it has not seen.

Both databases read the same text; {blob} and {table} are written as each wants them. Those released never change.
"""

# In an order in which they can be filled.
TABLES = (
    "match", "seat", "entry", "snapshot", "job", "offer", "message", "account", "session", "link", "push", "blocked",
    "report", "rating", "notice", "review",
)  # fmt: skip

MIGRATIONS = (
    """
create table match (
    id text primary key, game text not null, rules_version text not null, scenario text not null,
    options text not null, seed text not null, seed_known integer not null, spectators integer not null,
    created text not null, updated text not null, seq integer not null, ply integer not null,
    turn_label text not null, decider text, result text
){table};
create table seat (
    match text not null references match(id), side text not null, kind text not null, player text, name text not null,
    secret {blob}, primary key (match, side)
){table};
create index seat_by_secret on seat(secret);
create table entry (
    match text not null references match(id), seq integer not null, action text, at text not null,
    primary key (match, seq)
){table}
""",
    """
alter table match add column kind text not null default 'table';
alter table match add column status text not null default 'playing';
alter table match add column secret {blob};
alter table match add column made_by text;
alter table match add column listed integer not null default 0;
alter table match add column frozen text;
alter table match add column pace text;
alter table match add column rematch text;
update match set status = 'over' where decider is null;
create index match_listed on match(listed, created);
alter table seat add column nonce text;
alter table seat add column account text;
alter table seat add column invitation {blob};
alter table seat add column answers text;
alter table seat add column clock integer;
create index seat_by_account on seat(account);
alter table entry add column kind text not null default 'do';
alter table entry add column side text;
alter table entry add column told text;
alter table entry add column free integer not null default 0;
alter table entry add column key text;
update entry set kind = 'undo' where action is null;
create unique index entry_by_key on entry(match, key);
create table snapshot (
    match text not null references match(id), seq integer not null, ply integer not null, tip integer not null,
    rules_version text not null, state text not null, primary key (match, seq)
){table};
create table job (
    match text primary key references match(id), rank integer not null, queued text not null, worker text, until text
){table};
create table offer (
    match text not null references match(id), side text not null, kind text not null, seq integer not null,
    at text not null, primary key (match, side, kind)
){table}
""",
    """
alter table match add column due text;
create index match_by_due on match(due);
create table message (
    match text not null references match(id), number integer not null, side text not null, text text not null,
    at text not null, primary key (match, number)
){table};
create table account (
    id text primary key, name text not null, name_key text not null unique, email text, email_key text unique,
    password text, created text not null, vacation text, mail integer not null, webhook text
){table};
create table session (
    digest {blob} primary key, account text not null references account(id), created text not null, agent text not null
){table};
create index session_by_account on session(account);
create table link (
    digest {blob} primary key, email text not null, until text not null
){table};
create table push (
    endpoint text primary key, account text not null references account(id), keys text not null
){table};
create index push_by_account on push(account);
create table blocked (
    account text not null references account(id), other text not null references account(id),
    primary key (account, other)
){table};
create table report (
    id text primary key, account text, match text not null references match(id), text text not null, at text not null
){table};
create table rating (
    account text not null references account(id), game text not null, side text not null, rating real not null,
    deviation real not null, volatility real not null, games integer not null, primary key (account, game, side)
){table};
create table notice (
    id text primary key, account text not null references account(id), match text not null references match(id),
    seq integer not null, due text not null
){table};
create index notice_by_due on notice(due)
""",
    """
create table review (
    match text primary key references match(id), edition text not null, queued text not null,
    worker text, until text, done integer not null, size integer not null, error text, result text
){table}
""",
    """
alter table entry add column plan text
""",
)
