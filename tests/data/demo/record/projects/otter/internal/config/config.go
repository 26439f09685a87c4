package config

// to be written
