create table if not exists doc(id integer primary key, path text not null unique,
                               scope text not null, hash text not null, clock real not null);
create table if not exists spread(word text primary key, entries integer not null) without rowid;
create table if not exists file(path text primary key, stat text not null, blob text not null,
                                hash text not null, body text not null, by_hand integer not null,
                                user_written integer not null, name text not null, problem text,
                                secret text) without rowid;
create table if not exists content(path text primary key, hash text not null, text text not null,
                                   entry text not null);
create table if not exists fact(name text primary key, value text not null) without rowid;
create virtual table if not exists word using fts5(name, description, body, tokenize='ascii');
