"""The tables, as they came to be: a database of any age is brought up to date by the migrations it has not seen.

Both databases read the same text; {blob} and {table} are written as each wants them. Those released never change.
"""

TABLES = ("match", "seat", "entry", "snapshot", "job", "offer")  # in an order in which they can be filled

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
)
